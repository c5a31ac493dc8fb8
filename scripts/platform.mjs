// Which machine a package of the lock is made for. Like prepare.mjs it uses nothing but Node itself.
import process from 'node:process'

/** This machine, in the words that packages use. */
export const here = { os: process.platform, cpu: process.arch, libc: libcHere() }

/** Whether a package is made for some machines only: the native parts of others are, each as an optional package. */
export const isNative = ({ os, cpu, libc }) => Boolean(os ?? cpu ?? libc)

export const fits = (entry, { os, cpu, libc }) =>
  allows(entry.os, os) && allows(entry.cpu, cpu) && (!entry.libc || allows(entry.libc, libc))

export const inWords = ({ os, cpu, libc }) => [os, cpu, libc].filter(Boolean).join(' ')

/** A list of names, or of names with `!` before them, which may be one name alone. */
function allows(list, name) {
  const names = [list ?? []].flat()
  if (!names.length || names.includes('any')) return true
  if (names.includes(`!${name}`)) return false
  return names.includes(name) || names.every((one) => one.startsWith('!'))
}

function libcHere() {
  if (process.platform !== 'linux') return undefined
  // Names of the machines it talks to would be looked up, which takes seconds.
  process.report.excludeNetwork = true
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'
}
