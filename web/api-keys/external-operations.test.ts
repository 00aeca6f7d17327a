import { expect, it } from 'vitest'
import { buildCurl, listExternalOperations, buildUrl } from './external-operations.ts'

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

it('lists the operations of the external API with their scopes and parameters', () => {
  expect(listExternalOperations(description)).toMatchObject([
    {
      id: 'listLayers_external',
      method: 'GET',
      scope: 'geographies:read',
      parameters: [
        { name: 'region_id', location: 'path', isRequired: true },
        { name: 'text', location: 'query', isRequired: false },
      ],
      example: '',
    },
    { id: 'inviteUser_external', method: 'POST', example: '{\n  "name": "O\'Neil"\n}' },
  ])
})

it('fills in paths and queries, and builds the same call as a shell command without the key', () => {
  const [layers, invite] = listExternalOperations(description)
  expect(buildUrl(layers!, { region_id: 'a b', text: 'x&y' })).toBe(
    '/external/regions/a%20b/layers?text=x%26y',
  )
  expect(buildUrl(layers!, {})).toBe('/external/regions/{region_id}/layers')
  expect(buildCurl(layers!, 'http://city.example/x', null)).toBe(
    `curl -H "x-api-key: $PUBLICWAY_KEY" 'http://city.example/x'`,
  )
  expect(buildCurl(invite!, 'http://city.example/x', `{"name":"O'Neil"}`)).toBe(
    `curl -X POST -H "x-api-key: $PUBLICWAY_KEY" -H 'content-type: application/json' -d '{"name":"O'\\''Neil"}' 'http://city.example/x'`,
  )
})
