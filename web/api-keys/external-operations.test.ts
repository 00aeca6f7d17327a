import { expect, it } from 'vitest'
import { curlOf, externalOperations, urlOfCall } from './external-operations.ts'

const description = {
  paths: {
    '/v2/regions': { get: { operationId: 'listRegions' } },
    '/external/regions/{region_id}/layers': {
      get: {
        operationId: 'listLayers_external',
        summary: 'Layers',
        'x-scope': 'geographies:read',
        parameters: [
          { name: 'region_id', in: 'path', required: true },
          { name: 'text', in: 'query' },
        ],
      },
    },
    '/external/users': {
      post: {
        operationId: 'inviteUser_external',
        'x-scope': 'users:write',
        requestBody: { content: { 'application/json': { example: { name: "O'Neil" } } } },
      },
    },
  },
}

it('lists the calls of the external API with what they need', () => {
  expect(externalOperations(description)).toMatchObject([
    {
      id: 'listLayers_external',
      method: 'GET',
      scope: 'geographies:read',
      parameters: [
        { name: 'region_id', where: 'path', isRequired: true },
        { name: 'text', where: 'query', isRequired: false },
      ],
      example: '',
    },
    { id: 'inviteUser_external', method: 'POST', example: '{\n  "name": "O\'Neil"\n}' },
  ])
})

it('fills in paths and queries, and writes the same call for a shell without the key', () => {
  const [layers, invite] = externalOperations(description)
  expect(urlOfCall(layers!, { region_id: 'a b', text: 'x&y' })).toBe(
    '/external/regions/a%20b/layers?text=x%26y',
  )
  expect(urlOfCall(layers!, {})).toBe('/external/regions/{region_id}/layers')
  expect(curlOf(layers!, 'http://city.example/x', null)).toBe(
    `curl -H "x-api-key: $PUBLICWAY_KEY" 'http://city.example/x'`,
  )
  expect(curlOf(invite!, 'http://city.example/x', `{"name":"O'Neil"}`)).toBe(
    `curl -X POST -H "x-api-key: $PUBLICWAY_KEY" -H 'content-type: application/json' -d '{"name":"O'\\''Neil"}' 'http://city.example/x'`,
  )
})
