import { type Ref, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconExternalLink, IconHelp, IconArrowsExchange } from '@tabler/icons-react'
import { Popover, Text, UnstyledButton } from '@mantine/core'
import { curbGroups } from './areas.ts'
import { CurbSwitch } from './curb-switch.tsx'
import type { AccessContext } from './features.ts'
import { PageLinks } from './page-links.tsx'
import type { PageKey } from './pages.ts'
import { SettingsMenu } from './settings-menu.tsx'
import { visibleAreas } from './visible-areas.ts'
import shelf from './shelf.module.css'
import styles from './curb-drawer.module.css'
import { support } from './support.ts'
import { ProductLinks } from './product-links.tsx'
import { RegionPicker } from './region-picker.tsx'

/** Menu of the side drawer for changing product and region. */
function SwitchMenu({ className }: { className: string }) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <Popover opened={isOpen} onDismiss={close} position="right-end" width={300} trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={className} onClick={() => setIsOpen(!isOpen)}>
          <IconArrowsExchange size={18} aria-hidden="true" />
          {t('shell:switch.label')}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-label={t('shell:switch.label')}>
        <Text size="sm" fw={600} px={10} py={4}>
          {t('shell:switch.product')}
        </Text>
        <ProductLinks onNavigate={close} />
        <Text size="sm" fw={600} px={10} py={4} mt="xs">
          {t('shell:switch.region')}
        </Text>
        <RegionPicker onSelected={close} />
      </Popover.Dropdown>
    </Popover>
  )
}

/** Link to the help site in a new tab. */
function HelpLink({ className }: { className: string }) {
  const { t } = useTranslation()
  return (
    <a
      className={className}
      href={support.helpSite()}
      target="_blank"
      rel="noreferrer"
      title={t('shell:newTab')}
    >
      <IconHelp size={18} aria-hidden="true" />
      {t('shell:settings.help')}
      <IconExternalLink size={14} className={styles['away'] ?? ''} aria-hidden="true" />
    </a>
  )
}

interface Props {
  access: AccessContext
  regionId: string
  currentPage: PageKey | null
  onCollapse: () => void
  /** Ref of the button that returns to the shelf. */
  switchRef: Ref<HTMLButtonElement>
}

/** Alternative navigation of the curb pages, with all groups at once, and Settings, Help and Switch below. */
export function CurbDrawer({ access, regionId, currentPage, onCollapse: onFold, switchRef }: Props) {
  const { t } = useTranslation()
  return (
    <nav className={styles['drawer']} aria-label={t('shell:areas.label')}>
      <div className={styles['groups']}>
        {visibleAreas(curbGroups, access).map((group) => (
          <section key={group.key} aria-labelledby={`curb-group-${group.key}`}>
            <h2 id={`curb-group-${group.key}`} className={shelf['group']}>
              {t(`shell:curbGroups.${group.key}`)}
            </h2>
            <PageLinks entries={group.entries} regionId={regionId} currentPage={currentPage} />
          </section>
        ))}
      </div>
      <div className={styles['foot']}>
        <SettingsMenu className={styles['action'] ?? ''} isNamed />
        <HelpLink className={styles['action'] ?? ''} />
        <SwitchMenu className={styles['action'] ?? ''} />
        <CurbSwitch ref={switchRef} className={styles['action'] ?? ''} onSwitch={onFold} />
      </div>
    </nav>
  )
}
