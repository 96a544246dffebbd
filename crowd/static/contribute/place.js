// Where on the page: the mode and the campaign that its address names. A campaign's link stays within the campaign.

import { MODES } from "./modes.js";

const query = new URLSearchParams(location.search);

/** The mode, or null where it is still to be chosen. */
export const mode = Object.hasOwn(MODES, query.get("mode") ?? "") ? query.get("mode") : null;

/** The campaign, or null for any. */
export const campaign = query.get("campaign") || null;

/** Under which name the list at hand is kept: each campaign has one of its own in each mode. */
export const slot = campaign === null ? mode : `${mode}-${campaign}`;

/** The address of the page in a mode, or of the choice of modes, in the same campaign. */
export function address(ofMode = null) {
  const parts = new URLSearchParams();
  if (ofMode !== null) {
    parts.set("mode", ofMode);
  }
  if (campaign !== null) {
    parts.set("campaign", campaign);
  }
  const text = parts.toString();
  return text === "" ? "/contribute" : `/contribute?${text}`;
}

/** Keeps the page's links within the campaign. */
export function keepCampaign() {
  for (const link of document.querySelectorAll('main a[href^="/contribute"]')) {
    link.href = address(new URL(link.href).searchParams.get("mode"));
  }
}
