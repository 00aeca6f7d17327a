import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPart } from '#web/kit/test-part.tsx'
import { constantId } from '#web/policies/test-policy.ts'
import { SummaryResults } from './summary-results.tsx'
import { summaryRows } from './summary-rows.ts'
import { aSummary } from './test-compliance.ts'

const period = { start_date: '2026-11-15', end_date: '2026-11-22' }
const earlier = { start_date: '2026-11-07', end_date: '2026-11-14' }
const getName = (slug: string): string => slug.toUpperCase()
const less = aSummary()
less.complianceData['glide']!.violationCount = 2

beforeEach(() => {
  for (const side of ['clientHeight', 'offsetHeight', 'clientWidth'] as const)
    vi.spyOn(HTMLElement.prototype, side, 'get').mockReturnValue(400)
})

async function renderResults(
  overrides: Partial<Parameters<typeof SummaryResults>[0]> = {},
  isDeleted = false,
) {
  const rows = summaryRows([aSummary({ is_deleted: isDeleted })], overrides.earlier ? [less] : null, getName)
  const root = createRootRoute({
    component: () => (
      <SummaryResults
        regionId="port-meridian"
        rows={rows}
        period={period}
        earlier={null}
        asOf="10:00"
        isSmall={false}
        hasDetails
        {...overrides}
      />
    ),
  })
  await renderPart(
    <RouterProvider router={createRouter({ routeTree: root, history: createMemoryHistory() })} />,
  )
  await screen.findByRole('status')
}

describe('the result of the summary', () => {
  it('the result of the summary is a line of totals, and a table with most violations first', async () => {
    await renderResults()
    expect(screen.getByRole('status')).toHaveTextContent('1 non-compliant, 1 compliant, 0 not applicable.')
    const rows = within(
      screen.getByRole('table', { name: 'Compliance by policy and operator' }),
    ).getAllByRole('row')
    expect(rows[1]).toHaveTextContent('WharfNo parkingGLIDENon-compliant17')
    expect(rows[0]).not.toHaveTextContent('Uncertain')
  })

  it('shows both periods and the change in a comparison', async () => {
    await renderResults({ earlier })
    expect(screen.getByRole('status')).toHaveTextContent(/Compared with Nov 7\s–\s14, 2026\./)
    const [head, first] = within(screen.getByRole('table')).getAllByRole('row')
    expect(head).toHaveTextContent('Violations before')
    expect(first).toHaveTextContent('WharfNo parkingGLIDENon-compliant172+5')
  })

  it('links to the policy only if that page is available', async () => {
    await renderResults({ hasDetails: false })
    expect(screen.queryByRole('link')).not.toBeInTheDocument()
  })

  it.each([false, true])(
    'marks a deleted policy, and links to its past days (phone: %s)',
    async (isSmall) => {
      await renderResults({ isSmall }, true)
      expect(screen.getAllByText('Deleted')).toHaveLength(2)
      expect(screen.getAllByRole('link', { name: 'Wharf' })[0]).toHaveAttribute(
        'href',
        expect.stringContaining(`/compliance/${constantId}`),
      )
    },
  )

  it('the result of the summary is shown as cards on a phone, with the same texts and links', async () => {
    await renderResults({ isSmall: true, earlier })
    const [first, second] = within(
      screen.getByRole('list', { name: 'Compliance by policy and operator' }),
    ).getAllByRole('listitem')
    expect(first).toHaveTextContent(
      'WharfNon-compliantNo parking · GLIDE1 day with violations · 7 violations (+5)',
    )
    expect(second).toHaveTextContent(
      'WharfCompliantNo parking · SKIP0 days with violations · 0 violations (0)',
    )
    expect(within(first!).getByRole('link', { name: 'Wharf' })).toHaveAttribute(
      'href',
      expect.stringContaining(`/port-meridian/mobility/policies/compliance/${constantId}`),
    )
  })
})
