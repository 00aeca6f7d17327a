import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { pagePath, type PageKey } from './pages.ts'
import type { VisibleEntry } from './visible-areas.ts'
import styles from './shelf.module.css'

interface Props {
  entries: readonly VisibleEntry[]
  regionId: string
  here: PageKey | null
  onFollow?: () => void
}

export function PageLinks({ entries, regionId, here, onFollow }: Props) {
  const { t } = useTranslation()
  return (
    <ul className={styles['pages']}>
      {entries.map(({ key, pages, targetPage: opens }) => (
        <li key={key}>
          <Link
            className={styles['page']}
            to={pagePath(regionId, opens)}
            aria-current={here !== null && pages.includes(here) ? 'page' : undefined}
            onClick={onFollow}
          >
            {t([`shell:entries.${key}`, `shell:pages.${key}`])}
          </Link>
        </li>
      ))}
    </ul>
  )
}
