import { useEffect } from 'react'

/** For a page that fills a phone's screen: its content goes under the notch and the home bar, and keeps clear of them itself. */
export function useWholeScreen(): void {
  useEffect(() => {
    const meta = document.querySelector<HTMLMetaElement>('meta[name="viewport"]')
    if (!meta) return
    const before = meta.content
    meta.content = `${before}, viewport-fit=cover`
    return () => {
      meta.content = before
    }
  }, [])
}
