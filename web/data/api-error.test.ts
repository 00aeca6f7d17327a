import { describe, expect, it } from 'vitest'
import { ApiError, getFieldIssues } from './api-error.ts'

const validationError = (detail: string, issues?: { path: string; message: string }[]) =>
  new ApiError({
    url: '/v2/x',
    method: 'PATCH',
    status: 422,
    statusText: 'x',
    request: null,
    body: {
      success: false,
      code: 'validation_error',
      status: 422,
      title: 'x',
      detail,
      id: 'i',
      ...(issues ? { issues } : {}),
    },
  })

describe('field issues', () => {
  it('are those of the list in the response', () => {
    const issues = getFieldIssues(
      validationError('both', [
        { path: 'body.name', message: 'Too short' },
        { path: 'body.settings.maps.0', message: 'No such map' },
        { path: 'body.email_domains.2', message: 'No domain' },
      ]),
    )
    expect(Object.fromEntries(issues)).toEqual({
      name: 'Too short',
      maps: 'No such map',
      email_domains: 'No domain',
    })
  })

  it.each([
    [
      'body.settings.subscriptionEndDate: The subscription ends before it starts.',
      'subscriptionEndDate',
      'The subscription ends before it starts.',
    ],
    [
      "region_ids: Your organization has no region 'x'.",
      'region_ids',
      "Your organization has no region 'x'.",
    ],
  ])('are parsed from %s', (detail, field, message) =>
    expect([...getFieldIssues(validationError(detail))]).toEqual([[field, message]]),
  )

  it.each(['You cannot disable yourself.', 'Two words: and more', ''])('are absent in %j', (detail) =>
    expect(getFieldIssues(validationError(detail)).size).toBe(0),
  )

  it('are absent without an error or a response', () => {
    expect(getFieldIssues(null).size).toBe(0)
    expect(
      getFieldIssues(
        new ApiError({
          url: '',
          method: 'GET',
          status: 0,
          statusText: 'No response',
          request: null,
          body: null,
        }),
      ).size,
    ).toBe(0)
  })
})
