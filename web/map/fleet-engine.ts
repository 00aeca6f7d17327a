/** What draws a fleet: large, and fetched when there is one. */
export const fleetEngine = async () => (await import('./drawing/fleet-overlay.ts')).fleetOverlay
