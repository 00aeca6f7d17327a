import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { createQueryClient } from '#web/data/query.ts'
import * as sending from '#web/data/send-with-progress.ts'
import { useUploads } from './use-uploads.ts'

const done = {
  status: 200,
  statusText: '',
  version: null,
  text: async () => '{}',
  bytes: async () => new Uint8Array(),
}
const makeFile = (name: string) => new File([name], name)

function renderUploads() {
  const client = createQueryClient()
  return renderHook(() => useUploads('port-meridian'), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  })
}

/** Uploads that the test completes one by one. */
function stubUploads() {
  const pending: {
    name: string
    finish: () => void
    progress: (share: number) => void
    isStopped: () => boolean
  }[] = []
  vi.spyOn(sending, 'sendWithProgress').mockImplementation(
    ({ url, signal, onProgress }) =>
      new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new DOMException('x', 'AbortError')))
        pending.push({
          name: new URL(url, 'http://x').searchParams.get('file_name') ?? '',
          finish: () => resolve(done),
          progress: (share) => onProgress?.(share),
          isStopped: () => signal?.aborted ?? false,
        })
      }),
  )
  return pending
}

describe('uploads', () => {
  it('uploads wait for their turn, show their progress, and disappear when they are complete', async () => {
    const pending = stubUploads()
    const { result } = renderUploads()
    act(() => result.current.add([makeFile('a.csv'), makeFile('b.csv')]))
    await waitFor(() => expect(pending).toHaveLength(1))
    act(() => pending[0]?.progress(0.5))
    expect(result.current.list.map(({ file: { name }, share }) => [name, share])).toEqual([
      ['a.csv', 0.5],
      ['b.csv', null],
    ])
    act(() => pending[0]?.finish())
    await waitFor(() => expect(pending.map(({ name }) => name)).toEqual(['a.csv', 'b.csv']))
    act(() => pending[1]?.finish())
    await waitFor(() => expect(result.current.list).toEqual([]))
  })

  it('uploads can be canceled, and the next one continues', async () => {
    const pending = stubUploads()
    const { result } = renderUploads()
    act(() => result.current.add([makeFile('a.csv'), makeFile('b.csv')]))
    await waitFor(() => expect(pending).toHaveLength(1))
    act(() => result.current.remove(result.current.list[0]!.id))
    await waitFor(() => expect(pending).toHaveLength(2))
    expect(pending[0]?.isStopped()).toBe(true)
    expect(result.current.list.map(({ file: { name } }) => name)).toEqual(['b.csv'])
  })

  it('uploads that were removed while waiting are never sent', async () => {
    const pending = stubUploads()
    const { result } = renderUploads()
    act(() => result.current.add([makeFile('a.csv'), makeFile('b.csv')]))
    await waitFor(() => expect(pending).toHaveLength(1))
    act(() => result.current.remove(result.current.list[1]!.id))
    act(() => pending[0]?.finish())
    await waitFor(() => expect(result.current.list).toEqual([]))
    expect(pending).toHaveLength(1)
  })
})
