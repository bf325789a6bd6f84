import satisfies from 'semver/functions/satisfies.js'

type Locked = {
  optional?: boolean
  version?: string
  integrity?: string
  link?: boolean
  engines?: { node?: string }
  optionalDependencies?: Record<string, string>
}

/** A lock file and a package, as far as the rules look at them. */
export type LockFile = { packages: Record<string, Locked> }
export type Manifest = { scripts?: Record<string, string> }

/**
 * Packages for other platforms that the lock file lacks. npm leaves them out when it cannot see them where it runs, and
 * then refuses to install from that lock file anywhere.
 */
export function missingFromLock({ packages }: LockFile): string[] {
  return Object.entries(packages).flatMap(([place, locked]) =>
    Object.keys(locked.optionalDependencies ?? {})
      .filter((name) => !placesOf(name, place).some((at) => packages[at]?.version))
      .map((name) => `${name}, which ${place} may need`)
  )
}

/**
 * Packages whose archive npm would install without comparing its hash. npm writes such an entry for the binary of another
 * platform that the registry does not have yet: pin the newest version of its parent that is complete for all platforms.
 */
export function missingIntegrity({ packages }: LockFile): string[] {
  return Object.entries(packages)
    .filter(
      ([place, locked]) => place !== '' && locked.link !== true && !/^sha512-.{86}==$/.test(locked.integrity ?? '')
    )
    .map(([place]) => place)
}

/** Scripts that would run on the machine of somebody who installs memctl, or works on it, without being asked. */
export function scriptsAtInstall({ scripts }: Manifest): string[] {
  return ['preinstall', 'install', 'postinstall', 'prepare'].filter((name) => scripts && Object.hasOwn(scripts, name))
}

/** Where Node would look for a package: beside the one that needs it, then further out. */
function placesOf(name: string, place: string): string[] {
  const inside = place === '' ? [] : [`${place}/node_modules/${name}`]
  const outer = place.lastIndexOf('/node_modules/')
  return [...inside, ...(outer < 0 ? [`node_modules/${name}`] : placesOf(name, place.slice(0, outer)))]
}

/** Packages that say they do not run on the oldest Node.js that memctl supports. */
export function unsupportedEngines({ packages }: LockFile, oldest: string): string[] {
  return Object.entries(packages)
    .filter(([, { engines }]) => engines?.node !== undefined && !satisfies(oldest, engines.node))
    .map(([place, { engines }]) => `${place}: ${engines?.node}`)
}
