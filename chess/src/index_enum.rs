//! Gives every index-like enum its `ALL` and `COUNT`, its index, and a checked conversion back.

/// Declares a field-less enum whose discriminants count from 0, with `ALL`, `COUNT`, `index` and
/// `try_from_index`.
macro_rules! index_enum {
    ($(#[$meta:meta])* pub enum $Name:ident { $($(#[$variant_meta:meta])* $Variant:ident),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $Name { $($(#[$variant_meta])* $Variant),+ }

        impl $Name {
            /// Number of variants.
            pub const COUNT: usize = [$(stringify!($Variant)),+].len();
            /// Every value, in index order.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$Variant),+];

            /// The value's index, from 0 to `COUNT - 1`.
            #[inline(always)]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The value with this index, or `None` when `index >= COUNT`.
            // The chain of guards is a linear switch, which the compiler turns into one comparison.
            #[inline(always)]
            pub const fn try_from_index(index: usize) -> Option<Self> {
                match index {
                    $(i if i == Self::$Variant as usize => Some(Self::$Variant),)+
                    _ => None,
                }
            }
        }
    };
}

/// Declares an array with one `T` for each value of an index enum, indexed by the enum.
macro_rules! array_by {
    ($(#[$meta:meta])* $Array:ident of $Enum:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $Array<T>(pub [T; $Enum::COUNT]);

        impl<T> std::ops::Index<$Enum> for $Array<T> {
            type Output = T;

            #[inline(always)]
            fn index(&self, value: $Enum) -> &T {
                &self.0[value as usize]
            }
        }

        impl<T> std::ops::IndexMut<$Enum> for $Array<T> {
            #[inline(always)]
            fn index_mut(&mut self, value: $Enum) -> &mut T {
                &mut self.0[value as usize]
            }
        }
    };
}
