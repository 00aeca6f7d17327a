import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { renderPart } from '#web/kit/test-part.tsx'
import { DownloadButton } from '#web/kit/download-button.tsx'
import { ResultsDrawer } from './results-drawer.tsx'

beforeEach(() => vi.stubGlobal('innerHeight', 844))
afterEach(() => vi.unstubAllGlobals())

const getTableHeight = async (isSmall: boolean, actions: string | null): Promise<number> => {
  const { unmount } = await renderPart(
    <ResultsDrawer
      isOpen
      onOpen={() => {}}
      isSmall={isSmall}
      before={null}
      actions={actions && <button type="button">{actions}</button>}
    >
      {(height) => <p data-testid="table">{height}</p>}
    </ResultsDrawer>,
  )
  const height = Number(screen.getByTestId('table').textContent)
  unmount()
  return height
}

it('gives the table the height of the drawer without the bar', async () =>
  expect(await getTableHeight(false, 'CSV')).toBe(360 - 44))
it('subtracts the higher bar and the row of actions on a phone', async () => {
  expect(await getTableHeight(true, null)).toBe(360 - 56)
  expect(await getTableHeight(true, 'CSV')).toBe(360 - 56 - 44)
})

it('disables downloads while rows are of the previous filters', async () => {
  for (const isOpen of [false, true]) {
    const { unmount } = await renderPart(
      <ResultsDrawer
        isOpen={isOpen}
        onOpen={() => {}}
        isSmall={false}
        isStale
        hasDownloads
        before={null}
        actions={null}
      >
        {() => <DownloadButton label="Download" formats={[{ fileName: 'a.csv', load: () => '' }]} />}
      </ResultsDrawer>,
    )
    expect(screen.getByRole('button', { name: 'Download' })).toBeDisabled()
    unmount()
  }
})
