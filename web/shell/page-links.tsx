import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getSharedSearch, pagePath, type PageKey, pageTitle } from './pages.ts'
import type { VisibleEntry } from './visible-areas.ts'
import styles from './shelf.module.css'

interface Props {
  entries: readonly VisibleEntry[]
  regionId: string
  currentPage: PageKey | null
  onNavigate?: () => void
}

export function PageLinks({ entries, regionId, currentPage, onNavigate: onFollow }: Props) {
  const { t } = useTranslation()
  return (
    <ul className={styles['pages']}>
      {entries.map(({ key, pages, targetPage }) => (
        <li key={key}>
          <Link
            className={styles['page']}
            to={pagePath(regionId, targetPage)}
            search={((previous: object) => getSharedSearch(currentPage, targetPage, previous)) as never}
            aria-current={currentPage !== null && pages.includes(currentPage) ? 'page' : undefined}
            onClick={onFollow}
          >
            {t([`shell:entries.${key}`, pageTitle(pages[0])])}
          </Link>
        </li>
      ))}
    </ul>
  )
}
