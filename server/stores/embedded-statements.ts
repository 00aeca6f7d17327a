import { parse, type PGlite, protocol, type Results } from '@electric-sql/pglite'
import { LRUCache } from 'lru-cache'

/** Each prepared statement takes some 20 kB of PGlite's memory. */
const maxPreparedStatements = 300
/** Longer texts, such as inserts of many rows, are rarely repeated in the same form. */
const maxPreparedLength = 5000

/** A statement that PGlite has parsed. */
interface PreparedStatement {
  /** Its name in PGlite; empty for one that is used only once. */
  name: string
  parameterTypes: readonly number[]
  /** The message that describes its rows; none if it returns no rows. */
  rowDescription: ProtocolMessages
}

type ProtocolMessages = Awaited<ReturnType<PGlite['execProtocolStream']>>

/** Error codes of PostgreSQL after which a prepared statement is useless: its result type changed, or it is gone. */
const staleCodes = new Set(['0A000', '26000'])

/**
 * Runs single statements in PGlite and caches them in prepared form. A statement that runs again is one call of PGlite
 * instead of six, and is not parsed again. Plans are made each time (`plan_cache_mode`), because PGlite has no
 * autovacuum that would discard plans of tables that have grown.
 */
export class EmbeddedStatements {
  readonly #database: PGlite
  /** Names of evicted statements, which are closed with the next message. */
  readonly #evictedNames: string[] = []
  readonly #prepared = new LRUCache<string, PreparedStatement>({
    max: maxPreparedStatements,
    dispose: ({ name }) => void this.#evictedNames.push(name),
  })
  #count = 0

  constructor(database: PGlite) {
    this.#database = database
  }

  /** Runs one statement with its values. @throws DatabaseError. */
  async run<Row>(text: string, values: readonly unknown[]): Promise<Results<Row>> {
    if (this.#database.closed) throw new Error('PGlite is closed')
    return await this.#database.runExclusive(async () => {
      const statement = this.#prepared.get(text) ?? (await this.#prepare(text))
      try {
        const messages = await this.#send(
          protocol.serialize.bind({
            statement: statement.name,
            values: values.map((value, index) => this.#toText(value, statement.parameterTypes[index])),
          }),
          protocol.serialize.execute({}),
        )
        const [result] = parse.parseResults(
          [...statement.rowDescription, ...messages],
          this.#database.parsers,
        )
        return result as Results<Row>
      } catch (error) {
        if (staleCodes.has(String((error as { code?: unknown }).code))) this.#prepared.delete(text)
        throw error
      }
    })
  }

  /** Forgets all statements, because the schema has changed. */
  forget(): void {
    this.#prepared.clear()
  }

  async #prepare(text: string): Promise<PreparedStatement> {
    const isReused = text.length <= maxPreparedLength
    const name = isReused ? `s${++this.#count}` : ''
    const messages = await this.#send(
      ...this.#evictedNames
        .splice(0)
        .map((evicted) => protocol.serialize.close({ type: 'S', name: evicted })),
      protocol.serialize.parse({ name, text }),
      protocol.serialize.describe({ type: 'S', name }),
    )
    const statement = {
      name,
      parameterTypes: parse.parseDescribeStatementResults(messages),
      rowDescription: messages.filter((message) => message.name === 'rowDescription'),
    }
    if (isReused) this.#prepared.set(text, statement)
    return statement
  }

  #send(...messages: Uint8Array[]): Promise<ProtocolMessages> {
    return this.#database.execProtocolStream(Buffer.concat([...messages, protocol.serialize.sync()]))
  }

  #toText(value: unknown, type: number | undefined): string | null {
    if (value === null || value === undefined) return null
    const serialize = type === undefined ? undefined : this.#database.serializers[type]
    return serialize ? serialize(value) : String(value)
  }
}
