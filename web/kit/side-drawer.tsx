import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './dialog.module.css'

interface Props {
  title: string
  size: number
  position: 'left' | 'right'
  isOpen: boolean
  onClose: () => void
  children: ReactNode
}

/** A dialog at the side that leaves the page visible. */
export function SideDrawer({ title, size, position, isOpen, onClose, children }: Props) {
  const { t } = useTranslation()
  return (
    <Drawer.Root opened={isOpen} onClose={onClose} size={size} position={position}>
      <Drawer.Overlay />
      <Drawer.Content>
        <div className={styles['head']}>
          <Drawer.Title className={styles['title'] ?? ''}>{title}</Drawer.Title>
          <Drawer.CloseButton aria-label={t('kit:close')} />
        </div>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}
