"""The National Ground-Water Monitoring Network."""
