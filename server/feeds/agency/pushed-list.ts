import { type JsonBounds, findJsonExcess } from '#server/http/json-excess.ts'
import { maxPushedItems } from '../adapters/mds-agency.ts'
import { isItem } from '../mds/fields.ts'
import { AgencyError } from './agency-error.ts'

/** No legitimate push exceeds these limits; parsing a larger one would block the event loop. */
const bounds: JsonBounds = { depth: 32, values: 600_000, fields: 250, length: 100_000 }

const jsonTypePattern = /^application\/(vnd\.mds\+)?json\s*(;|$)/i

/** Parses the JSON of a push. @throws AgencyError. */
export function parsePushedJson(body: unknown, contentType: string | undefined): unknown {
  if (!jsonTypePattern.test(contentType ?? ''))
    throw new AgencyError(
      400,
      'bad_param',
      'The Content-Type must be application/vnd.mds+json or application/json.',
      ['Content-Type'],
    )
  const excess = body instanceof Uint8Array ? findJsonExcess(body, bounds) : null
  if (excess) throw new AgencyError(400, 'bad_param', `The body ${excess}.`, ['body'])
  try {
    return JSON.parse(body instanceof Uint8Array ? new TextDecoder().decode(body) : '')
  } catch (error) {
    // The message may quote control characters of the body.
    const reason =
      error instanceof Error ? error.message.replace(/[\p{Cc}]+/gu, ' ').slice(0, 200) : 'it cannot be read'
    throw new AgencyError(400, 'bad_param', `The body is not JSON: ${reason}.`, ['body'])
  }
}

/** Reads the items of a push: the body itself or its list `name`. @throws AgencyError. */
export function readPushedList(json: unknown, name: string): readonly unknown[] {
  const list = isItem(json) ? json[name] : json
  if (isItem(json) && list === undefined)
    throw new AgencyError(400, 'missing_param', `A required parameter is missing: ${name}.`, [name])
  if (!Array.isArray(list))
    throw new AgencyError(400, 'bad_param', `The body must be a list of ${name}.`, [name])
  if (!list.length) throw new AgencyError(400, 'bad_param', `The list of ${name} is empty.`, [name])
  if (list.length > maxPushedItems)
    throw new AgencyError(
      400,
      'bad_param',
      `A request has at most ${maxPushedItems} items; this one has ${list.length}.`,
      [name],
    )
  return list
}

/** Checks the number of lines of a report before it is parsed. @throws AgencyError if there are too many. */
export function checkReportLength(text: string): void {
  let lineCount = 0
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1))
    // The first line is the header.
    if (++lineCount > maxPushedItems + 1)
      throw new AgencyError(400, 'bad_param', `A request has at most ${maxPushedItems} lines.`, ['body'])
}
