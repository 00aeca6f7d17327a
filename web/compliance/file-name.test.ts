import { expect, it } from 'vitest'
import { fileName } from './file-name.ts'

it('joins its parts, and removes characters that file systems reject', () => {
  expect(
    fileName(['No parking', 'Wharf / "east": Pier?', 'Glide+Skip', '', '2026-11-15', '2026-11-22']),
  ).toBe('No-parking_Wharf-east-Pier_Glide+Skip_2026-11-15_2026-11-22')
  expect(fileName(['../x', 'ñandú'])).toBe('x_ñandú')
})
