import { useEffect } from 'react'

/** The tab reads `Mobility Manager · Page`. */
export function useTitle(page: string): void {
  useEffect(() => {
    document.title = `Mobility Manager · ${page}`
  }, [page])
}
