import { randomUUID } from 'node:crypto'
import pg from 'pg'

type MessageData = Record<string, unknown>

/** Messages between the servers of one state store. They are only hints: the data is in the stores. */
export interface ServerMessages {
  /** Sends to all other servers, in order. While the store is unreachable, messages wait. */
  send(topic: string, data: MessageData): void
  on(topic: string, handler: (data: MessageData) => void): void
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
/** Maximum number of messages that wait for a connection; more are replaced by one message about a gap. */
const maxWaitingMessages = 1000
const reconnectMs = 500
const gapTopic = 'gap'

/** Sends messages by LISTEN and NOTIFY, on a dedicated connection. */
export function openServerMessages(url: string): ServerMessages {
  const ownId = randomUUID()
  const handlers = new Map<string, ((data: MessageData) => void)[]>()
  const gapHandlers: (() => void)[] = []
  let waiting: string[] = []
  let sending: Promise<void> | null = null

  const receive = (payload: string): void => {
    const { from, topic, data } = JSON.parse(payload) as { from: string; topic: string; data: MessageData }
    if (from === ownId) return
    if (topic === gapTopic) for (const handler of gapHandlers) handler()
    else for (const handler of handlers.get(topic) ?? []) handler(data)
  }
  const sendWaiting = async (): Promise<void> => {
    while (connection.client && waiting.length) {
      const [payload = ''] = waiting
      try {
        await connection.client.query('select pg_notify($1, $2)', [channel, payload])
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
  const connection = new ListeningConnection(url, {
    onPayload: receive,
    onConnect(isFirst) {
      if (!isFirst) for (const handler of gapHandlers) handler()
      flush()
    },
  })
  return {
    send(topic, data) {
      const payload = JSON.stringify({ from: ownId, topic, data })
      if (Buffer.byteLength(payload) > maxBytes) throw new Error(`A message about ${topic} is too long.`)
      waiting.push(payload)
      if (waiting.length > maxWaitingMessages)
        waiting = [JSON.stringify({ from: ownId, topic: gapTopic, data: {} })]
      flush()
    },
    on: (topic, handler) => void handlers.set(topic, [...(handlers.get(topic) ?? []), handler]),
    onGap: (handler) => void gapHandlers.push(handler),
    async close() {
      await connection.stop()
      await sending
      await connection.end()
    },
  }
}

interface ConnectionHandlers {
  onPayload: (payload: string) => void
  /** Called after each connect; `isFirst` unless a connection was lost or failed before. */
  onConnect: (isFirst: boolean) => void
}

/** A connection that listens to the channel, and is replaced when it is lost. */
class ListeningConnection {
  /** Null while there is no connection. */
  client: pg.Client | null = null
  readonly #url: string
  readonly #handlers: ConnectionHandlers
  readonly #firstAttempt: Promise<void>
  #isFirst = true
  #isStopped = false
  #timer: NodeJS.Timeout | undefined

  constructor(url: string, handlers: ConnectionHandlers) {
    this.#url = url
    this.#handlers = handlers
    this.#firstAttempt = this.#connect()
  }

  /** Stops reconnecting. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#firstAttempt
  }

  async end(): Promise<void> {
    const { client } = this
    this.client = null
    client?.removeAllListeners('end')
    await client?.end().catch(() => undefined)
  }

  async #connect(): Promise<void> {
    const newClient = new pg.Client({ connectionString: this.#url, keepAlive: true })
    let isLost = false
    const handleLoss = (): void => {
      if (isLost) return
      isLost = true
      this.#isFirst = false
      if (this.client === newClient) this.client = null
      newClient.removeAllListeners('end')
      void newClient.end().catch(() => undefined)
      if (!this.#isStopped) this.#timer ??= setTimeout(() => this.#reconnect(), reconnectMs).unref()
    }
    newClient.on('error', handleLoss)
    newClient.on('end', handleLoss)
    newClient.on('notification', ({ payload }) => this.#handlers.onPayload(payload ?? '{}'))
    try {
      await newClient.connect()
      await newClient.query(`listen ${channel}`)
    } catch {
      return handleLoss()
    }
    if (this.#isStopped) return void newClient.end().catch(() => undefined)
    this.client = newClient
    this.#handlers.onConnect(this.#isFirst)
    this.#isFirst = false
  }

  #reconnect(): void {
    this.#timer = undefined
    void this.#connect()
  }
}
