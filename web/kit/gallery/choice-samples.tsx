import { IconDroplet, IconSun } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DropdownOption } from '../dropdown-option.ts'
import { Dropdown } from '../dropdown.tsx'
import { MultiDropdown } from '../multi-dropdown.tsx'
import { TagList } from '../tag-list.tsx'
import { GalleryPart } from './gallery-part.tsx'

type Sample = 'teal' | 'amber' | 'long'

export function ChoiceSamples() {
  const { t } = useTranslation()
  const [none, setNone] = useState<Sample | null>(null)
  const [one, setOne] = useState<Sample | null>('teal')
  const [nothing, setNothing] = useState<Sample[]>([])
  const [many, setMany] = useState<Sample[]>(['teal', 'long'])
  const options: DropdownOption<Sample>[] = [
    {
      value: 'teal',
      text: t('kit:gallery.options.teal'),
      description: t('kit:gallery.options.tealHint'),
      icon: <IconDroplet size={18} />,
    },
    {
      value: 'amber',
      text: t('kit:gallery.options.amber'),
      description: t('kit:gallery.options.amberHint'),
      icon: <IconSun size={18} />,
    },
    { value: 'long', text: t('kit:gallery.options.long') },
  ]
  const name = (choice: string, state: string): string =>
    `${t(`kit:gallery.${choice}`)} · ${t(`kit:gallery.${state}`)}`
  const tags = options.map(({ value, text }) => ({ key: value, text }))
  const [remaining, setRemaining] = useState(tags.map(({ key }) => key))
  const errorText = t('kit:gallery.wrong')
  return (
    <>
      <GalleryPart title={t('kit:gallery.choices')}>
        <Dropdown label={name('one', 'empty')} options={options} value={none} onChange={setNone} />
        <Dropdown label={name('one', 'filled')} options={options} value={one} onChange={setOne} clearable />
        <Dropdown
          label={name('one', 'error')}
          options={options}
          value={none}
          onChange={setNone}
          error={errorText}
        />
        <Dropdown
          label={name('one', 'disabled')}
          options={options}
          value="amber"
          onChange={setOne}
          disabled
        />
        <MultiDropdown
          label={name('many', 'empty')}
          options={options}
          value={nothing}
          onChange={setNothing}
        />
        <MultiDropdown label={name('many', 'filled')} options={options} value={many} onChange={setMany} />
        <MultiDropdown
          label={name('many', 'error')}
          options={options}
          value={nothing}
          onChange={setNothing}
          error={errorText}
        />
        <MultiDropdown
          label={name('many', 'disabled')}
          options={options}
          value={many}
          onChange={setMany}
          disabled
        />
      </GalleryPart>
      <GalleryPart title={t('kit:gallery.tags')}>
        <TagList
          label={t('kit:gallery.filled')}
          tags={tags.filter(({ key }) => remaining.includes(key))}
          onRemove={(key) => setRemaining(remaining.filter((each) => each !== key))}
        />
        <TagList label={t('kit:gallery.fixed')} tags={tags} />
      </GalleryPart>
    </>
  )
}
