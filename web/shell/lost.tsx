import { NotFound } from './not-found.tsx'

/** Page for a URL of no screen. */
export function Lost() {
  return (
    <main>
      <NotFound />
    </main>
  )
}
