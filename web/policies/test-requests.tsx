import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { createQueryClient } from '#web/data/query.ts'
import { renderPart } from '#web/kit/test-part.tsx'

/** For tests: renders a component with its requests, without the frame. */
export const renderWithRequests = (part: ReactNode) =>
  renderPart(<QueryClientProvider client={createQueryClient()}>{part}</QueryClientProvider>)
