import { Tooltip, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { addressIn } from './pages.ts'
import type { ShownArea } from './shown-areas.ts'
import styles from './shelf.module.css'

interface Props {
  area: ShownArea
  regionId: string
  isHere: boolean
  isOpen: boolean
  button?: Ref<HTMLButtonElement> | undefined
  onOpen: () => void
  onLeave: () => void
}

/** One area of the shelf: a link to its page, or the button of its drawer. */
export function AreaLink({ area, regionId, isHere, isOpen, button, onOpen, onLeave }: Props) {
  const { t } = useTranslation()
  const face = (
    <>
      <area.Icon size={22} stroke={1.6} aria-hidden="true" />
      <span className={styles['label']}>{t(`shell:areas.${area.key}`)}</span>
    </>
  )
  const name = t(`shell:areaNames.${area.key}`)
  return (
    <Tooltip label={name} position="right" disabled={isOpen || name === t(`shell:areas.${area.key}`)}>
      {area.drawer ? (
        <UnstyledButton
          ref={button}
          className={styles['area'] ?? ''}
          data-here={isHere || undefined}
          aria-expanded={isOpen}
          aria-label={name}
          onClick={onOpen}
        >
          {face}
        </UnstyledButton>
      ) : (
        <Link
          className={styles['area']}
          data-here={isHere || undefined}
          aria-current={isHere ? 'page' : undefined}
          aria-label={name}
          to={addressIn(regionId, area.entries[0].opens)}
          onClick={onLeave}
        >
          {face}
        </Link>
      )}
    </Tooltip>
  )
}
