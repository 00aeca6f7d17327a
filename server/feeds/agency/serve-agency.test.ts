import { describe, expect, it } from 'vitest'
import { agencyVersion } from './serve-agency.ts'
import { AgencyError } from './agency-error.ts'

const getStatus = (...headers: [string | undefined, string | undefined]): number => {
  try {
    agencyVersion(...headers)
  } catch (error) {
    if (error instanceof AgencyError) return error.status
    throw error
  }
  return 200
}

describe('the version of a request', () => {
  it.each([
    [undefined, undefined, '2.0'],
    ['*/*', 'application/json', '2.0'],
    ['application/vnd.mds+json;version=1.2', undefined, '1.2'],
    ['application/vnd.mds+json; version=2.0', 'application/json', '2.0'],
    ['application/json', 'application/vnd.mds+json;version=1.2', '1.2'],
    ['application/vnd.mds+json;version="1.2"', undefined, '1.2'],
    ['application/vnd.mds+json;version=3.0, application/vnd.mds+json;version=1.2;q=0.5', undefined, '1.2'],
    ['application/vnd.mds+json;version=1.2', 'application/vnd.mds+json;version=2.0', '1.2'],
    ['text/vnd.mds+csv;version=2.0', 'text/csv', '2.0'],
  ])('Accept %s, Content-Type %s: %s', (accept, type, version) => {
    expect(agencyVersion(accept, type)).toBe(version)
  })

  it.each([
    ['application/vnd.mds+json;version=3.0', undefined],
    ['application/vnd.mds+json;version=2.0.2', undefined],
    ['application/vnd.mds+json;version=0.4', 'application/json'],
    ['application/vnd.mds+json;version=', undefined],
    ['application/json', 'application/vnd.mds+json;version=1.1'],
    ['application/vnd.mds+json;version=2.0', 'application/vnd.mds+json;version=9.9'],
  ])('Accept %s, Content-Type %s: none that is served', (accept, type) => {
    expect(getStatus(accept, type)).toBe(406)
  })
})
