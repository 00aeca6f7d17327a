import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { addressIn, type PageKey } from './pages.ts'
import type { ShownEntry } from './shown-areas.ts'
import styles from './shelf.module.css'

interface Props {
  entries: readonly ShownEntry[]
  regionId: string
  here: PageKey | null
  onFollow?: () => void
}

export function PageLinks({ entries, regionId, here, onFollow }: Props) {
  const { t } = useTranslation()
  return (
    <ul className={styles['pages']}>
      {entries.map(({ key, pages, opens }) => (
        <li key={key}>
          <Link
            className={styles['page']}
            to={addressIn(regionId, opens)}
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
