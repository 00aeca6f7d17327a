import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { curbGroups } from './areas.ts'
import { CurbSwitch } from './curb-switch.tsx'
import type { Standing } from './features.ts'
import { HelpLink } from './help-link.tsx'
import { PageLinks } from './page-links.tsx'
import type { PageKey } from './pages.ts'
import { SettingsMenu } from './settings-menu.tsx'
import { shownAreas } from './shown-areas.ts'
import { SwitchMenu } from './switch-menu.tsx'
import shelf from './shelf.module.css'
import styles from './curb-drawer.module.css'

interface Props {
  standing: Standing
  regionId: string
  here: PageKey | null
  onFold: () => void
  /** Of the button that leads back to the shelf. */
  switchRef: Ref<HTMLButtonElement>
}

/** The second layout of the curb's pages: all groups at once, with Settings, Help and Switch below. */
export function CurbDrawer({ standing, regionId, here, onFold, switchRef }: Props) {
  const { t } = useTranslation()
  return (
    <nav className={styles['drawer']} aria-label={t('shell:areas.label')}>
      <div className={styles['groups']}>
        {shownAreas(curbGroups, standing).map((group) => (
          <section key={group.key} aria-labelledby={`curb-group-${group.key}`}>
            <h2 id={`curb-group-${group.key}`} className={shelf['group']}>
              {t(`shell:curbGroups.${group.key}`)}
            </h2>
            <PageLinks entries={group.entries} regionId={regionId} here={here} />
          </section>
        ))}
      </div>
      <div className={styles['foot']}>
        <SettingsMenu face={styles['action'] ?? ''} isNamed />
        <HelpLink className={styles['action'] ?? ''} />
        <SwitchMenu className={styles['action'] ?? ''} />
        <CurbSwitch ref={switchRef} line={styles['action'] ?? ''} onSwitch={onFold} />
      </div>
    </nav>
  )
}
