import { Outlet } from '@tanstack/react-router'
import { useState, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { isOn } from './features.ts'
import { Shelf } from './shelf.tsx'
import styles from './shell.module.css'
import { SmallMenu } from './small-menu.tsx'
import { TopBar } from './top-bar.tsx'
import { usePlace } from './use-place.ts'
import { useStanding } from './use-standing.ts'

/** What stands around a page: bar and shelf. The mobile live map has the screen to itself; where it is off, the frame leads on. */
export function PageFrame({ content }: { content: RefObject<HTMLElement | null> }) {
  const { t } = useTranslation()
  const [menuOpen, setMenuOpen] = useState(false)
  const { page } = usePlace()
  const standing = useStanding()
  if (page === 'mobileLive' && (standing === null || isOn(standing, page)))
    return (
      <main ref={content} id="content" tabIndex={-1} className={styles['whole']}>
        <Outlet />
      </main>
    )
  return (
    <>
      <a href="#content" className={styles['skip']}>
        {t('shell:skip')}
      </a>
      <div className={styles['frame']}>
        <TopBar onMenu={() => setMenuOpen(true)} />
        <Shelf />
        <main ref={content} id="content" tabIndex={-1} className={styles['content']}>
          <Outlet />
        </main>
      </div>
      <SmallMenu opened={menuOpen} onClose={() => setMenuOpen(false)} />
    </>
  )
}
