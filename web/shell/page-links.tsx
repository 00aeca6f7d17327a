import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Page } from './areas.ts'
import styles from './shelf.module.css'

interface Props {
  pages: readonly Page[]
  regionId: string
  here: Page | undefined
  onFollow: () => void
}

export function PageLinks({ pages, regionId, here, onFollow }: Props) {
  const { t } = useTranslation()
  return (
    <ul className={styles['pages']}>
      {pages.map((page) => (
        <li key={page.key}>
          <Link className={styles['page']} to={`/${regionId}/${page.path}`} aria-current={page.key === here?.key ? 'page' : undefined} onClick={onFollow}>
            {t(`shell:pages.${page.key}`)}
          </Link>
        </li>
      ))}
    </ul>
  )
}
