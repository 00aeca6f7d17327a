import { Menu, Tooltip, UnstyledButton } from '@mantine/core'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Mark } from '#web/kit/mark.tsx'
import { useChosenRegion } from './region.tsx'
import styles from './top-bar.module.css'

export function ProductSelector() {
  const { t } = useTranslation()
  const { regionId } = useChosenRegion()
  const current = useLocation({ select: (location) => (location.pathname.split('/')[2] === 'curb' ? 'curb' : 'mobility') })
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <Tooltip label={t('shell:products.choose')} openDelay={500}>
          <UnstyledButton className={styles['button'] ?? ''} aria-label={`${t(`shell:products.${current}`)}: ${t('shell:products.choose')}`}>
            <Mark size={28} />
            <span className={`${styles['text']} ${styles['product']}`}>{t(`shell:products.${current}`)}</span>
            <IconChevronDown size={16} className={styles['quiet'] ?? ''} aria-hidden="true" />
          </UnstyledButton>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {(['mobility', 'curb'] as const).map((product) => (
          <Menu.Item key={product} component={Link} to={regionId ? `/${regionId}/${product}` : '/'} rightSection={product === current ? <IconCheck size={16} aria-hidden="true" /> : null}>
            {t(`shell:products.${product}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
