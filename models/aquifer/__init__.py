"""Analytic aquifer models: pumping Q > 0 takes water, drawdown s > 0 lowers the head.

Arguments that name a unit are in it (metres and days); those that name none take any one consistent set [L, T].
"""
