export interface ServerEvent {
  id: string
  name: string
  data: unknown
}

const parseEvent = (block: string): ServerEvent | null => {
  const readField = (name: string): string => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1] ?? ''
  return readField('event')
    ? { id: readField('id'), name: readField('event'), data: JSON.parse(readField('data')) as unknown }
    : null
}

/** Opens a stream of server-sent events. Throws if the server rejects it. */
export async function openEvents(url: string, headers: Record<string, string>) {
  const stop = new AbortController()
  const response = await fetch(url, { headers, signal: stop.signal })
  if (!response.ok || !response.body)
    throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  const events: ServerEvent[] = []
  const reading = (async () => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event) events.push(event)
      }
    }
  })()
  return {
    events,
    /** Settles when the stream has ended or was closed. */
    ended: reading.catch(() => undefined),
    /** Waits at most ten seconds for a number of events with a name, and returns them. */
    async until(name: string, count: number): Promise<ServerEvent[]> {
      for (let tries = 0; tries < 500; tries++) {
        const named = events.filter((event) => event.name === name)
        if (named.length >= count) return named
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      throw new Error(`No ${count} events of ${name}: ${JSON.stringify(events).slice(0, 2000)}`)
    },
    close: () => stop.abort(),
  }
}
