import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { listRegions } from '#contract/regions.ts'
import { usePages } from '#web/data/pages.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { addressIn } from './pages.ts'
import { useChosenRegion } from './region.tsx'
import styles from './region-options.module.css'
import { usePlace } from './use-place.ts'

/** The regions that match; the next page is fetched once the third from the last is visible. */
export function RegionOptions({ text, onChosen }: { text: string; onChosen: () => void }) {
  const { t } = useTranslation()
  const { regionId } = useChosenRegion()
  const { page } = usePlace()
  // On the mobile live map another region is its mobile live map, too.
  const leadsTo = (id: string): string => (page === 'mobileLive' ? addressIn(id, page) : `/${id}`)
  const pages = usePages(listRegions, { query: text ? { text } : {} })
  const thirdFromLast = useRef<HTMLLIElement>(null)
  const count = pages.items?.length ?? 0

  useEffect(() => {
    const mark = thirdFromLast.current
    if (!mark || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver(
      (seen) => seen.some((each) => each.isIntersecting) && pages.more(),
    )
    observer.observe(mark)
    return () => observer.disconnect()
  })

  return (
    <Loaded
      of={{ data: pages.items, error: pages.error, isFetching: false, refetch: pages.refetch }}
      isEmpty={(items) => items.length === 0}
      empty={
        <Text size="sm" c="dimmed" p="xs">
          {t(text ? 'shell:region.none' : 'shell:noAccess.title')}
        </Text>
      }
    >
      {(items) => (
        <ul className={styles['list']}>
          {items.map((region, at) => (
            <li key={region.regionId} ref={at === Math.max(0, count - 3) ? thirdFromLast : undefined}>
              <Link
                className={styles['option']}
                to={leadsTo(region.regionId)}
                aria-current={region.regionId === regionId || undefined}
                onClick={onChosen}
              >
                {region.text}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}
