import { NotFound } from './not-found.tsx'

/** An address outside of every screen. */
export function Lost() {
  return (
    <main>
      <NotFound />
    </main>
  )
}
