"""Analytic aquifer models. Pumping Q > 0 takes water, drawdown s > 0 lowers the head; any consistent units [L, T]."""
