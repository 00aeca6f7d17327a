/** One received server-sent event. */
export interface StreamEvent {
  /** Id of this event, or of the last event that had one. */
  id: string
  name: string
  data: string
}

/** Parses server-sent events from chunks of text that may be split anywhere (HTML standard, 9.2.6). */
export class EventStreamParser {
  #buffer = ''
  #id = ''

  /** Returns the events completed by a chunk; comments are ignored. */
  read(chunk: string): StreamEvent[] {
    // A line ends with CR, LF or both; a CR at the very end may be the first half of CRLF.
    const text = this.#buffer + chunk
    const end = text.endsWith('\r') ? text.length - 1 : text.length
    const blocks = text.slice(0, end).replaceAll(/\r\n?/g, '\n').split('\n\n')
    this.#buffer = (blocks.pop() ?? '') + text.slice(end)
    return blocks.flatMap((block) => this.#parseEvent(block))
  }

  #parseEvent(block: string): StreamEvent[] {
    let name = 'message'
    const data: string[] = []
    for (const line of block.split('\n')) {
      const colon = line.indexOf(':')
      if (colon === 0) continue
      const field = colon < 0 ? line : line.slice(0, colon)
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
      if (field === 'id' && !value.includes('\0')) this.#id = value
      else if (field === 'event') name = value
      else if (field === 'data') data.push(value)
    }
    return data.length > 0 ? [{ id: this.#id, name, data: data.join('\n') }] : []
  }
}
