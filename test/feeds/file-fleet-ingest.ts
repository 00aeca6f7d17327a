import fs from 'node:fs'
import type { FleetIngest } from '#server/fleet/events/fleet-ingest.ts'

/** Reads the ids of the events in a file, one per line. A truncated last line does not count. */
export function readStoredIds(file: string): string[] {
  if (!fs.existsSync(file)) return []
  const text = fs.readFileSync(file, 'utf8')
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(Boolean)
}

/** Opens a fleet ingest that durably stores event ids in a file, for processes that are killed. */
export function openFileFleetIngest(file: string): FleetIngest {
  const stored = new Set(readStoredIds(file))
  fs.writeFileSync(file, [...stored].map((id) => `${id}\n`).join(''))
  return {
    async store({ records }) {
      const fresh = records.events.map(({ eventId }) => eventId).filter((id) => !stored.has(id))
      const handle = fs.openSync(file, 'a')
      for (const id of fresh) {
        fs.writeSync(handle, `${id}\n`)
        stored.add(id)
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      fs.fsyncSync(handle)
      fs.closeSync(handle)
      return { accepted: fresh.length, repeated: records.events.length - fresh.length, setAside: 0 }
    },
    findRegistered: async () => new Set<string>(),
    whenDerived: async () => undefined,
    close: async () => undefined,
  }
}
