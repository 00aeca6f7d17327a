/**
 * Looks something up once for all who ask for the same at the same moment. Nothing is remembered: who asks after the answer has come
 * causes a new look.
 */
export function sharedLookup<Found>(look: (key: string) => Promise<Found>): (key: string) => Promise<Found> {
  const underWay = new Map<string, Promise<Found>>()
  return (key) => {
    const asked = underWay.get(key)
    if (asked) return asked
    const found = look(key).finally(() => underWay.delete(key))
    underWay.set(key, found)
    return found
  }
}
