import { UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import styles from './filter-group.module.css'

interface Props {
  label: string
  /** Number of set fields. The group is open while a field is set, unless the user closed it. */
  setCount: number
  children: ReactNode
}

/** A collapsible group of rarely used fields of a panel. */
export function FilterGroup({ label, setCount, children }: Props) {
  const id = useId()
  const isSet = setCount > 0
  const [isOpen, setIsOpen] = useState(isSet)
  const [wasSet, setWasSet] = useState(isSet)
  // Opens if a field is set elsewhere, as by Back. Never closes by itself, which would move the page.
  if (isSet !== wasSet) {
    setWasSet(isSet)
    if (isSet) setIsOpen(true)
  }
  const section = useRef<HTMLElement>(null)
  const [wasToggled, setWasToggled] = useState(false)
  useEffect(() => {
    if (wasToggled && isOpen) section.current?.scrollIntoView({ block: 'nearest' })
  }, [wasToggled, isOpen])
  return (
    <section ref={section} className={styles['group']}>
      <UnstyledButton
        className={styles['button'] ?? ''}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => {
          setIsOpen(!isOpen)
          setWasToggled(true)
        }}
      >
        {isSet && !isOpen ? `${label} (${setCount})` : label}
        <IconChevronDown size={18} aria-hidden="true" className={styles['chevron'] ?? ''} />
      </UnstyledButton>
      <div id={id} className={styles['fields']} hidden={!isOpen}>
        {isOpen ? children : null}
      </div>
    </section>
  )
}
