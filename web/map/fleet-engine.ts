/** What draws a fleet: large, and fetched when there is one. */
export const loadFleetOverlay = async () => (await import('./drawing/fleet-overlay.ts')).createFleetOverlay
