import { expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { isMedia } from '#contract/endpoint.ts'
import { openApi } from './openapi.ts'

interface Described {
  'x-scope'?: string
  security?: unknown
  requestBody?: { content: Record<string, { example?: unknown }> }
}
const { paths } = openApi(endpoints) as { paths: Record<string, Record<string, Described>> }

const external = [...endpoints].filter(([, { prefixes }]) => prefixes.includes('/external'))
const findOperation = (path: string, method: string): Described | undefined =>
  paths[`/external${path}`]?.[method.toLowerCase()]

test('Every call of the external API names its scope and both headers of a key', () => {
  const descriptions = external.map(([name, { path, method }]) => {
    const { 'x-scope': scope, security } = findOperation(path, method) ?? {}
    return [name, scope, security]
  })
  expect(descriptions).toEqual(
    external.map(([name, { scope }]) => [name, scope, [{ apiKey: [scope] }, { apiKeyBearer: [scope] }]]),
  )
})

const withBody = external.filter(([, { request }]) => request.body && !isMedia(request.body))

test.each(withBody)('The example of %s is a valid request', (_, { path, method, request }) => {
  const example = findOperation(path, method)?.requestBody?.content['application/json']?.example
  const { body } = request
  expect(body && !isMedia(body) ? body.safeParse(example).error : 'no body').toBeUndefined()
})
