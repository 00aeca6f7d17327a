/** Loads the fleet overlay on demand, because deck.gl is large. */
export const loadFleetOverlay = async () => (await import('./rendering/fleet-overlay.ts')).createFleetOverlay
