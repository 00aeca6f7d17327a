import type { FeedBatch, FleetIngest } from '#server/mobility/fleet/fleet-ingest.ts'

/** Keeps batches in memory; an event that came before is repeated, as a real keeper has it. */
export function memoryKeeper(): FleetIngest & { batches: FeedBatch[]; ids: Set<string> } {
  const batches: FeedBatch[] = []
  const ids = new Set<string>()
  return {
    batches,
    ids,
    async take(batch) {
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
