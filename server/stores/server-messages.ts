import { randomUUID } from 'node:crypto'
import pg from 'pg'

type Data = Record<string, unknown>

/**
 * Messages between the servers of one state store. They are only hints, because the data itself is in the
 * stores.
 */
export interface ServerMessages {
  /** Sends to all other servers, in order. While the store is unreachable, messages wait. */
  send(topic: string, data: Data): void
  on(topic: string, handler: (data: Data) => void): void
  /** Calls the handler after messages may have been missed. */
  onGap(handler: () => void): void
  close(): Promise<void>
}

/** Messages of an embedded store, which has only one server: none. */
export const noMessages: ServerMessages = {
  send: () => undefined,
  on: () => undefined,
  onGap: () => undefined,
  close: () => Promise.resolve(),
}

const channel = 'publicway'
/** Below PostgreSQL's limit of 8,000 bytes per payload. */
const maxBytes = 7900
/**
 * Maximum number of messages that wait for a connection; if there are more, one message about a gap replaces
 * them.
 */
const maxWaiting = 1000
const reconnectMs = 500
const gapTopic = 'gap'

/** Sends messages by LISTEN and NOTIFY, on a dedicated connection. */
export function openServerMessages(url: string): ServerMessages {
  const ownId = randomUUID()
  const handlers = new Map<string, ((data: Data) => void)[]>()
  const gapHandlers: (() => void)[] = []
  let waiting: string[] = []
  let isFirst = true
  let isClosed = false
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | null = null

  const receive = (payload: string): void => {
    const { from, topic, data } = JSON.parse(payload) as { from: string; topic: string; data: Data }
    if (from === ownId) return
    if (topic === gapTopic) for (const handler of gapHandlers) handler()
    else for (const handler of handlers.get(topic) ?? []) handler(data)
  }
  const connect = async (): Promise<void> => {
    const connecting = new pg.Client({ connectionString: url, keepAlive: true })
    let isLost = false
    const handleLoss = (): void => {
      if (isLost) return
      isLost = true
      isFirst = false
      if (client === connecting) client = null
      connecting.removeAllListeners('end')
      void connecting.end().catch(() => undefined)
      if (!isClosed) timer ??= setTimeout(reconnect, reconnectMs).unref()
    }
    connecting.on('error', handleLoss)
    connecting.on('end', handleLoss)
    connecting.on('notification', ({ payload }) => receive(payload ?? '{}'))
    try {
      await connecting.connect()
      await connecting.query(`listen ${channel}`)
    } catch {
      return handleLoss()
    }
    if (isClosed) return void connecting.end().catch(() => undefined)
    client = connecting
    if (!isFirst) for (const handler of gapHandlers) handler()
    isFirst = false
    flush()
  }
  const reconnect = (): void => {
    timer = undefined
    void connect()
  }
  const sendWaiting = async (): Promise<void> => {
    for (let open = client; open && waiting.length; open = client) {
      const [payload = ''] = waiting
      try {
        await open.query('select pg_notify($1, $2)', [channel, payload])
      } catch {
        // The connection is lost; the message is sent again on the next one.
        return
      }
      waiting.shift()
    }
  }
  const flush = (): void => {
    sending ??= sendWaiting().finally(() => (sending = null))
  }
  const opened = connect()
  return {
    send(topic, data) {
      const payload = JSON.stringify({ from: ownId, topic, data })
      if (Buffer.byteLength(payload) > maxBytes) throw new Error(`A message about ${topic} is too long.`)
      waiting.push(payload)
      if (waiting.length > maxWaiting) waiting = [JSON.stringify({ from: ownId, topic: gapTopic, data: {} })]
      flush()
    },
    on: (topic, handler) => void handlers.set(topic, [...(handlers.get(topic) ?? []), handler]),
    onGap: (handler) => void gapHandlers.push(handler),
    async close() {
      isClosed = true
      clearTimeout(timer)
      await opened
      await sending
      const last = client
      client = null
      last?.removeAllListeners('end')
      await last?.end().catch(() => undefined)
    },
  }
}
