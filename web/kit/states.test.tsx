import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { EmptyState } from './empty-state.tsx'
import { FailedState } from './failed-state.tsx'
import dark from './mark-dark.svg'
import { FullLoading } from './full-loading.tsx'
import { PageHeader } from './page-header.tsx'
import { renderPart } from './test-part.tsx'
import { Warning } from './warning.tsx'

it('shows in an empty state what to do next', async () => {
  await renderPart(
    <EmptyState title="No layers yet" action={<button type="button">Add one</button>}>
      Drop a file
    </EmptyState>,
  )
  expect(screen.getByRole('heading', { level: 2, name: 'No layers yet' })).toBeInTheDocument()
  expect(screen.getByText('Drop a file')).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Add one' })).toBeInTheDocument()
})

it('uses an empty state as the only heading of a page', async () => {
  await renderPart(<EmptyState title="Nothing here" order={1} />)
  expect(screen.getByRole('heading', { level: 1, name: 'Nothing here' })).toBeInTheDocument()
})

it('shows the id and the retry button of a failure only if there are any', async () => {
  await renderPart(<FailedState error={{ message: 'Too large' }} title="Not sent" />)
  expect(screen.getByRole('alert')).toHaveTextContent(/^Not sentToo large$/)
  expect(screen.queryByRole('button')).not.toBeInTheDocument()
})

it('gives a warning the role status, not alert', async () => {
  await renderPart(<Warning title="Look at this">Details</Warning>)
  expect(screen.getByRole('status')).toHaveTextContent('Look at thisDetails')
})

it('shows the title, context and actions of a page', async () => {
  await renderPart(
    <PageHeader title="Regions" context="All of them" actions={<button type="button">Add</button>} />,
  )
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Regions')
  expect(screen.getByText('All of them')).toBeInTheDocument()
})

it('announces the first load', async () => {
  await renderPart(<FullLoading />)
  const loading = screen.getByRole('status', { name: 'Loading' })
  expect(loading.firstElementChild).toHaveAttribute('src', dark)
  expect(loading.lastElementChild).toHaveClass('spinner')
})
