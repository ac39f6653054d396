"""A question to the aquifer: wells, rates, streams, edges and points, declared in one file or taken from a site."""
