# %% [markdown]
# # The plane: how near is the destination recognised, by epsilon and by the observer's radius?
#
# Editors that know cells (VS Code, Spyder, Jupyter with jupytext) run this file as a notebook; `python plane.py` runs
# it as a program. It takes pandas and, for the picture, matplotlib. The program veilpath must be on the path.

# %%
import veilpath

surface = veilpath.tune(epsilons=[0.2, 0.35, 0.5, 0.7, 1, 1.4, 2, 2.8, 4], runs=200)
plane = surface.pivot(index="radius_km", columns="epsilon", values="mean_km")
print(plane.round(1))

# %% [markdown]
# Nearer is better hidden: at the same epsilon, an observer who may be wrong by more recognises the destination farther
# from the target.

# %%
largest = (plane <= 50).apply(lambda hidden: hidden.index[hidden].max(), axis=1)
print("Largest epsilon of these that hides the destination until 50 km on average, NaN for none, by radius in km:")
print(largest.round(2))

# %%
try:
    import matplotlib.pyplot as plt
except ImportError:
    print("matplotlib is not installed, so there is no picture")
else:
    figure, axes = plt.subplots(layout="constrained")
    colours = axes.contourf(plane.columns, plane.index, plane.values, levels=12, cmap="Blues")
    axes.clabel(axes.contour(plane.columns, plane.index, plane.values, levels=[50], colors="tab:orange"), fmt="%g km")
    axes.set(xscale="log", yscale="log", xlabel="epsilon", ylabel="radius of the observer, km")
    axes.set_xticks([0.2, 0.5, 1, 2, 4], ["0.2", "0.5", "1", "2", "4"], minor=False)
    axes.set_yticks([0.1, 0.35, 0.7, 1.4, 2.8], ["0.1", "0.35", "0.7", "1.4", "2.8"], minor=False)
    figure.colorbar(colours, label="mean distance at which the destination is recognised, km")
    figure.savefig("plane.png")
