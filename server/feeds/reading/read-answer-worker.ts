import { once } from 'node:events'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { UnreadableBody } from '#server/ingest/adapters/adapter.ts'
import { adapters } from '#server/ingest/adapters/list.ts'
import { adapterOf } from '../feeds.ts'
import { partsOf } from './parts-of.ts'
import type { ReadMessage, ReadTask } from './read-task.ts'

/** Reads one body after the other; what it read is handed over in parts, each when it is asked for. */
async function serve(port: MessagePort): Promise<void> {
  const say = (message: ReadMessage): void => port.postMessage(message)
  for (;;) {
    const [{ kind, asked, stream, body, received }] = (await once(port, 'message')) as [ReadTask]
    try {
      const adapter = adapterOf(adapters, { kind, version: asked.version })
      if (!adapter) throw new Error(`There is no adapter of ${kind} ${asked.version}`)
      for (const each of partsOf(adapter.read(asked, stream, body, received))) {
        say(each)
        if (!each.isLast) await once(port, 'message')
      }
    } catch (error) {
      say(
        error instanceof UnreadableBody
          ? { unreadable: error.message }
          : { stumbled: error instanceof Error ? (error.stack ?? error.message) : String(error) },
      )
    }
  }
}

if (parentPort) await serve(parentPort)
