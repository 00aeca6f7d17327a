/** Kills a query until it has ended: one that is still on its way to the engine is not there to be killed yet. */
export async function killUntil(kill: () => Promise<unknown>, ended: () => boolean): Promise<void> {
  for (let tries = 0; tries < 100 && !ended(); tries++) {
    await kill().catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
