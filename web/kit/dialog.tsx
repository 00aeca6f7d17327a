import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './dialog.module.css'
import { useFocusReturn } from './use-focus-return.ts'

interface Props {
  title: string
  size?: number
  /** Without it the dialog stays until what it asks for is done. */
  onClose?: (() => void) | undefined
  children: ReactNode
}

/** A dialog over the page. Esc and the cross close it; the focus goes back to where it was. */
export function Dialog({ title, size = 440, onClose, children }: Props) {
  const { t } = useTranslation()
  // It is opened by being there, so that Mantine never sees it close.
  useFocusReturn()
  return (
    <Modal.Root
      opened
      onClose={() => onClose?.()}
      closeOnEscape={onClose !== undefined}
      closeOnClickOutside={onClose !== undefined}
      size={size}
      centered
    >
      <Modal.Overlay />
      <Modal.Content>
        {/* Mantine's own header would be a second banner of the page. */}
        <div className={styles['head']}>
          <Modal.Title className={styles['title'] ?? ''}>{title}</Modal.Title>
          {onClose ? <Modal.CloseButton aria-label={t('kit:close')} /> : null}
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
