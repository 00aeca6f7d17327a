import { describe, expect, it, test } from 'vitest'
import type { z } from 'zod'
import { endpoints } from './endpoints.ts'
import { nameSchema, removeInvisible } from './names.ts'

const hidden = [
  '\n',
  '\t',
  '\u0000',
  '\u007F',
  '\u0085',
  '\u009B',
  '\u00AD',
  '\u200B',
  '\u200D',
  '\u202E',
  '\u2028',
  '\u2066',
  '\u034F',
  '\u115F',
  '\u180B',
  '\u2800',
  '\u3164',
  '\uFE0F',
  '\uFFA0',
  '\u{E0100}',
  '\uFEFF',
]

describe('a name', () => {
  it.each(hidden)('a name cannot contain %j', (character) => {
    expect(nameSchema(20).safeParse(`Lark${character}Rides`).success).toBe(false)
    expect(removeInvisible(`Lark${character}Rides`)).toBe('LarkRides')
  })
  it.each(['Lark', '  São João  ', 'Zürich – Süd', '東京', 'Ünïcödé & Co. (Nord)', 'مترو'])(
    'a name may be %j',
    (name) => expect(nameSchema(20).parse(name)).toBe(name.trim()),
  )
  it.each(['', '   ', 'x'.repeat(21)])('a name cannot be %j', (name) =>
    expect(nameSchema(20).safeParse(name).success).toBe(false),
  )
})

/** Operations that name something, with the field of the name. */
const endpointsWithNames: [endpoint: string, field: string][] = [
  ['createRegion', 'text'],
  ['changeRegion', 'text'],
  ['createRole', 'name'],
  ['createOperator', 'name'],
  ['changeOperator', 'name'],
  ['inviteUser', 'name'],
  ['changeUser', 'name'],
  ['changeMe', 'name'],
  ['createFeed', 'name'],
  ['changeFeed', 'name'],
  ['createSignInProvider', 'name'],
  ['changeSignInProvider', 'name'],
  ['changeOrganization', 'name'],
  ['createLayer', 'layer_name'],
  ['changeLayer', 'layer_name'],
  ['createShape', 'shape_name'],
  ['changeShape', 'shape_name'],
  ['uploadShapes', 'layer_name'],
  ['savePolicy', 'policy_name'],
]

test.each(endpointsWithNames)('%s refuses a %s with a hidden character', (name, field) => {
  const { body, query } = endpoints.get(name)?.request ?? {}
  const shape = (body && !('media' in body) ? body : query) as z.ZodType
  const { error } = shape.safeParse({ [field]: 'Lark\u202ERides', policy: { [field]: 'Lark\u202ERides' } })
  expect(error?.issues.filter(({ path }) => path.at(-1) === field).map(({ message }) => message)).toEqual([
    'A name is one line without control characters or characters that cannot be seen',
  ])
})
