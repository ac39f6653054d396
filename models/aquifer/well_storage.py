"""A well of large diameter that stores water itself (Papadopulos & Cooper 1967).

Early the pump empties the well, later the aquifer: after about 250 rc^2 / T the drawdown is Theis's. The solution is
inverted numerically from the Laplace plane (`models.aquifer.laplace.talbot`).

References
----------
Papadopulos & Cooper (1967), Drawdown in a well of large diameter, Water Resour. Res. 3(1), 241-244.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from models.aquifer.admissible import Numbers, at_least, finite, positive
from models.aquifer.bessel import scaled_k0, scaled_k1
from models.aquifer.elapsed import since_start
from models.aquifer.laplace import Complex, talbot


def well_storage_function(alpha: ArrayLike, u_w: ArrayLike, radii: ArrayLike = 1.0) -> Numbers:
    """F(u_w, alpha, r/rw) = 4 pi T s / Q [-]; Theis's W(u) where the well stores nothing (alpha without bound).

    Parameters
    ----------
    alpha : S rw^2 / rc^2 [-], above 0: rw the radius of the screen, rc that of the casing where the level falls.
    u_w : rw^2 S / (4 T t) [-], above 0.
    radii : r / rw [-], at least 1; 1 is the well itself.

    Returns
    -------
    float64 array, broadcast of all

    Raises
    ------
    BadQuestion : an argument outside its range, by name.

    Notes
    -----
    With z = sqrt p, F(p) = 2 K0(z r/rw) / {p [z K1(z) + z^2 K0(z) / (2 alpha)]} at the time 1 / (4 u_w). The Bessel
    functions are scaled by exp z, so that neither of them vanishes early.
    """
    a, u, rho = positive("alpha", alpha), positive("u_w", u_w), at_least("radii", radii, 1.0, "at least 1")
    a, u, rho = np.broadcast_arrays(a, u, rho)
    return talbot(_function(a.ravel(), rho.ravel()), 1 / (4 * u.ravel())).reshape(u.shape)


def _function(alpha: Numbers, rho: Numbers) -> Callable[[Complex], Complex]:
    def transform(p: Complex) -> Complex:
        z = np.sqrt(p)
        well = z * scaled_k1(z) + p / (2 * alpha) * scaled_k0(z)
        return np.asarray(2 * scaled_k0(np.asarray(z * rho)) * np.exp(-z * (rho - 1)) / (p * well))

    return transform


def papadopulos_cooper_drawdown(
    rate_m3_per_d: ArrayLike,
    transmissivity_m2_per_d: ArrayLike,
    storativity: ArrayLike,
    screen_radius_m: ArrayLike,
    casing_radius_m: ArrayLike,
    distance_m: ArrayLike,
    time_d: ArrayLike,
) -> Numbers:
    """s = Q / (4 pi T) F, in the well (r = rw) or outside it [m].

    Parameters
    ----------
    rate_m3_per_d : Q, abstraction above 0 [m3/d].
    transmissivity_m2_per_d, storativity : T [m2/d], S [-], above 0.
    screen_radius_m, casing_radius_m : rw, rc [m], above 0.
    distance_m : r [m], at least rw.
    time_d : t since pumping began [d]; the drawdown is 0 where it is not above 0.

    Raises
    ------
    BadQuestion : an argument outside its range, by name.
    """
    t_l2, s_ = positive("transmissivity_m2_per_d", transmissivity_m2_per_d), positive("storativity", storativity)
    rw, rc = positive("screen_radius_m", screen_radius_m), positive("casing_radius_m", casing_radius_m)
    r = at_least("distance_m", distance_m, rw, "at least the radius of the screen")

    def response(t: Numbers, q: Numbers, t_l2: Numbers, s_: Numbers, rw: Numbers, rc: Numbers, r: Numbers) -> Numbers:
        f = well_storage_function(s_ * rw**2 / rc**2, rw**2 * s_ / (4 * t_l2 * t), r / rw)
        return q / (4 * np.pi * t_l2) * f

    return since_start(time_d, response, finite("rate_m3_per_d", rate_m3_per_d), t_l2, s_, rw, rc, r)
