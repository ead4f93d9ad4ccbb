# %% [markdown]
# # The plane: how near is the destination recognised, by epsilon and by the observer's radius?
#
# Editors that know cells (VS Code, Spyder, Jupyter with jupytext) run this file as a notebook; `python plane.py` runs
# it as a program. It takes pandas and, for the picture, matplotlib.

# %%
import veilpath

surface = veilpath.tune(epsilons=[0.2, 0.35, 0.5, 0.7, 1, 1.4, 2, 2.8, 4], runs=200)
plane = surface.pivot(index="radius_km", columns="epsilon", values="mean_km")
print(plane.round(1))

# %% [markdown]
# Nearer is better hidden: at the same epsilon, an observer who may be wrong by more recognises the destination farther
# from the target.

# %%
hidden = {radius: [epsilon for epsilon, km in row.items() if km <= 50] for radius, row in plane.iterrows()}
for radius, epsilons in hidden.items():
    print(f"radius {radius:.2f} km: " + (f"hidden until 50 km on average up to epsilon {max(epsilons):g}" if epsilons
                                         else "no epsilon here hides the destination until 50 km"))

# %%
try:
    import matplotlib.pyplot as plt
except ImportError:
    print("matplotlib is not installed, so there is no picture")
else:
    figure, axes = plt.subplots()
    colours = axes.contourf(plane.columns, plane.index, plane.values, levels=12, cmap="Blues")
    axes.contour(plane.columns, plane.index, plane.values, levels=[50], colors="tab:orange")
    axes.set(xscale="log", yscale="log", xlabel="epsilon", ylabel="radius of the observer, km")
    figure.colorbar(colours, label="mean distance at which the destination is recognised, km")
    figure.savefig("plane.png")
