import { describe, expect, it } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { openApi, signInPath } from './openapi.ts'

interface Operation {
  operationId: string
  summary: string
  'x-permission': string
  security?: unknown[]
  parameters: { name: string; in: string; required: boolean; schema: object }[]
  requestBody?: { required: boolean; content: Record<string, { schema: object }> }
  responses: Record<string, { description: string; content: Record<string, { schema: object }> }>
}

const document = openApi(endpoints)
const paths = document['paths'] as Record<string, Record<string, Operation>>
const operations = Object.entries(paths)
  .filter(([path]) => path !== signInPath)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

describe('the OpenAPI document', () => {
  it('is JSON of version 3.1', () => {
    expect(document['openapi']).toBe('3.1.0')
    expect(document['info']).toMatchObject({ title: 'Publicway', version: expect.any(String) })
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })

  it('has every endpoint under each of its prefixes', () => {
    const expected = [...endpoints.values()].flatMap(({ method, path, prefixes }) =>
      prefixes.map((prefix) => `${method} ${prefix}${path}`),
    )
    expect(operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(
      expected.sort(),
    )
  })

  it('has unique operation ids', () => {
    const names = operations.map(({ operation }) => operation.operationId)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    for (const name of endpoints.keys()) expect(names).toContain(name)
  })

  it('documents that heavy calls can be refused temporarily', () => {
    expect(paths['/v2/regions/{region_id}/spatial']?.['post']?.responses).toMatchObject({
      429: { headers: { 'Retry-After': {} } },
      503: { headers: { 'Retry-After': {} } },
    })
    expect(paths['/v2/users/me']?.['get']?.responses).not.toHaveProperty('429')
  })

  it.each(operations)(
    '$method $path documents permission, parameters, body and responses',
    ({ path, operation }) => {
      const endpoint = endpoints.get(operation.operationId.replace(/_(root|v2|internal|apipy|external)$/, ''))
      expect(operation['x-permission']).toBe(endpoint?.permission)
      const keys = [{ apiKey: [endpoint?.scope] }, { apiKeyBearer: [endpoint?.scope] }]
      expect(operation.security).toEqual(
        path.startsWith('/external/') ? keys : endpoint?.permission === 'public' ? [] : undefined,
      )
      expect(operation.summary.length).toBeGreaterThan(5)
      expect(
        operation.parameters
          .filter((parameter) => parameter.in === 'path')
          .map(({ name }) => name)
          .sort(),
      ).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort())
      for (const parameter of operation.parameters)
        expect([
          parameter.in === 'path' ? parameter.required : true,
          Object.keys(parameter.schema).length > 0,
        ]).toEqual([true, true])
      expect(Object.keys(operation.requestBody?.content ?? {})).toHaveLength(endpoint?.request.body ? 1 : 0)
      for (const [status, { description, content }] of Object.entries(operation.responses)) {
        expect(status).toMatch(/^[245]\d\d$/)
        expect(description).not.toBe('')
        for (const { schema } of Object.values(content)) expect(schema).toBeTypeOf('object')
      }
      expect(operation.responses['200']).toBeDefined()
    },
  )

  it('documents how a sign-in returns its token', () => {
    const { responses } = paths[signInPath]!['post']!
    expect(responses['200']).toMatchObject({ headers: { 'set-auth-token': { schema: { type: 'string' } } } })
    expect(document['components']).toMatchObject({
      securitySchemes: { bearer: { description: expect.stringContaining('set-auth-token') as string } },
    })
  })

  it('documents the legacy form: credentials in the body, a success flag, lists in data', () => {
    const getSchema = (path: string, method: string, status = '200') =>
      paths[path]?.[method]?.responses[status]?.content['application/json']?.schema
    const body = paths['/apipy/trips/spatial']?.['post']?.requestBody?.content['application/json']?.schema
    expect(body).toMatchObject({ allOf: [{ $ref: '#/components/schemas/LegacyCredentials' }, {}] })
    expect(getSchema('/apipy/users/me', 'get')).toMatchObject({
      allOf: [{ properties: { success: { const: true } } }, {}],
    })
    expect(getSchema('/apipy/feature_flags', 'get')).toMatchObject({
      properties: { success: { const: true }, data: { type: 'array' } },
    })
    expect(getSchema('/v2/feature_flags', 'get')).toMatchObject({ type: 'array' })
  })

  it('marks required parameters', () => {
    const required = (path: string): string[] =>
      (paths[path]?.['get']?.parameters ?? [])
        .filter(({ required: isRequired }) => isRequired)
        .map(({ name }) => name)
    expect(required('/v2/regions/{region_id}/shapes')).toEqual(['region_id', 'shape_layer_uuid'])
    expect(required('/v2/regions')).toEqual([])
  })

  it('refers only to components that it contains', () => {
    const components = (document['components'] as { schemas: Record<string, object> }).schemas
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, reference]) => reference as string,
    )
    expect(references.length).toBeGreaterThan(100)
    for (const reference of new Set(references)) {
      expect(reference).toMatch(/^#\/components\/schemas\/\w+$/)
      expect(Object.keys(components)).toContain(reference.split('/').at(-1))
    }
    expect(Object.keys(components)).toEqual(expect.arrayContaining(['Problem', 'Geometry']))
  })
})
