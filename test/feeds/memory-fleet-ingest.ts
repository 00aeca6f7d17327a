import type { FeedBatch, FleetIngest } from '#server/fleet/events/fleet-ingest.ts'

/** Creates an in-memory fleet ingest. Like the real one, it counts known events as repeated. */
export function createMemoryFleetIngest(): FleetIngest & { batches: FeedBatch[]; ids: Set<string> } {
  const batches: FeedBatch[] = []
  const ids = new Set<string>()
  return {
    batches,
    ids,
    async store(batch) {
      batches.push(batch)
      const fresh = batch.records.events.filter(({ eventId }) => !ids.has(eventId))
      for (const { eventId } of fresh) ids.add(eventId)
      return {
        accepted: fresh.length,
        repeated: batch.records.events.length - fresh.length,
        setAside: batch.records.findings.length,
      }
    },
    findRegistered: async () => new Set<string>(),
    whenDerived: async () => undefined,
    close: async () => undefined,
  }
}
